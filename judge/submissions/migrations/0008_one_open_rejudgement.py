from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("submissions", "0007_count_what_there_is")]
    operations = [
        migrations.AddConstraint(
            model_name="rejudgement",
            constraint=models.UniqueConstraint(
                condition=models.Q(chosen="", stage="open"),
                fields=("version",),
                name="one_open_rejudgement_per_version",
            ),
        )
    ]
