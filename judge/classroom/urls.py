from django.urls import path

from judge.classroom.views import audit, drafts, people, problems, verifications, workspace

urlpatterns = [
    path("", workspace.home, name="workspace"),
    path("new/", problems.new_problem, name="new-problem"),
    path("problems/<slug:slug>/", problems.problem, name="teach-problem"),
    path("problems/<slug:slug>/edit-version/", problems.edit_version, name="edit-version"),
    path("problems/<slug:slug>/publish/", problems.publish, name="publish"),
    path("problems/<slug:slug>/unpublish/", problems.unpublish, name="unpublish"),
    path("problems/<slug:slug>/compare/", problems.compare, name="compare-versions"),
    path("problems/<slug:slug>/versions/<slug:version>.zip", problems.download, name="version-zip"),
    path("problems/<slug:slug>/draft/", drafts.edit, name="draft-editor"),
    path("problems/<slug:slug>/draft/file/", drafts.draft_file, name="draft-file"),
    path("problems/<slug:slug>/draft/complaints/", drafts.complaints, name="draft-complaints"),
    path("problems/<slug:slug>/draft/preview/", drafts.preview, name="draft-preview"),
    path("problems/<slug:slug>/draft/discard/", drafts.discard, name="draft-discard"),
    path("problems/<slug:slug>/draft/verify/", verifications.verify, name="draft-verify"),
    path("problems/<slug:slug>/draft.zip", problems.download, name="draft-zip"),
    path("verifications/<uuid:run_id>/", verifications.verification, name="verification"),
    path("verifications/<uuid:run_id>/state/", verifications.verification_state, name="verification-state"),
    path("verifications/<uuid:run_id>/cancel/", verifications.cancel, name="verification-cancel"),
    path("audit/", audit.audit, name="audit"),
    path("people/", people.people, name="people"),
    path("people/<int:user_id>/role/", people.change_role, name="role"),
]
