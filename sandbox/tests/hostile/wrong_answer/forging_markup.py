"""Returns and prints markup, escapes and null bytes."""
# held by: separate processes


print('<script>alert(1)</script>\x1b[31m\x00\x9b\u202e')


def square(x):
    return x.sum() * 0


def next(value):
    print('</pre><img src=x onerror=alert(1)>\x1b]8;;http://x\x07\r\b')
    return '<script>\x1b[2J\x00</script>'


def copy(x):
    return {'<b>\x00': '\ud800\x1b[31m'}
