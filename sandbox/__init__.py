"""The sandbox: runs strangers' functions against hidden checks, and needs no privilege for it.

How it works
------------
`python -m sandbox serve` is a small server on a Unix socket. It imports no torch, opens no network and holds no secret.
It starts one *runtime template*, a process that has imported torch, numpy and pytest and then does nothing but fork. A
fork of a warm process costs milliseconds where an import costs seconds.

For a package version the template forks a *checker template*: a jail that collects the package's checks once. For a job
there are two more forks, which live as long as the job:

    runtime template --fork--> solution jail   the submission and the package's supplied modules; nothing else
                     --fork--> checker template (kept) --fork--> checker jail   the checks and what they expect

They speak over a pair of sockets: calls go out, values come back, as JSON and safetensors, never pickle. The verdict is
computed in the checker jail, from values. What a submission must produce is never in a process that the submission can
reach, so there is nothing to find, and no "passed" to forge: the solution jail has no way to say anything but
values.

A fork enters its jail in named steps (`sandbox.jail`): a session without descriptors or environment, namespaces,
resource limits, Landlock, no privileges, and a seccomp filter; then the first byte of foreign code. Which of these
layers a host offers is found out at start (`sandbox.layers`). All that are there are used at once; where one of the
four protections (files, network, processes, resources) would be held by none, the server refuses to start.

Time is CPU time of the solution jail, charged over all its threads, as the server reads it from the kernel; so a busy
machine fails nobody. Wall time is limited too, further out, for what waits without working. On a slow machine both are
stretched by how long a fixed piece of work takes the template at start.

A crash, a hang or a kill costs the check in which it happened: the checker reports the solution jail as lost, the
server says what became of it, and forks a fresh one in which the rest goes on.

Who is trusted
--------------
The server and the templates run our code only. A checker runs the author's code: it is trusted with the verdict of its
own package and with nothing of the host. A solution runs the learner's code and is trusted with nothing; what it sends
is parsed under limits (`sandbox.wire`, `sandbox.values`), and whatever is no answer counts as a broken run.

What it does not protect against
--------------------------------
- A hole in the kernel's system call interface that the filter leaves open (files, memory, threads and clocks are open).
- Timing: a submission can measure how busy the machine is, and so can another one.
- Values made up inside the submission's own process: it may answer a call with whatever it likes, also with the right
  value by another way than the one that was taught. What is observed from memory (`sandbox.observe`) does not change
  when it patches Python or torch; but code that walks the stack to ours, writes an answer of its own to the channel, or
  rewrites memory through ctypes can make observations up. Values it can't.
- An author who wants a learner to pass: checks decide, and they are the author's.
"""
