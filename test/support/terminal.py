"""Runs a command at a pseudo-terminal and plays a person: waits for a text, then sends keys, step by step.

terminal.py '[["wait for this", "send this"], …]' command…: prints all that the screen was sent; ends with the command's exit code.
A third item of a step is a number of columns: the window is made that wide before the keys are sent.
"""
import fcntl, json, os, pty, select, signal, struct, sys, termios, time

steps = [(wait.encode(), keys.encode(), *columns) for wait, keys, *columns in json.loads(sys.argv[1])]


def size(columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))


pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
size(120)
screen, seen, deadline = b"", 0, time.time() + 120
while time.time() < deadline:
    if not select.select([terminal], [], [], 0.1)[0]:
        continue
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        piece = b""
    if piece == b"":
        break
    screen += piece
    while steps and (at := screen.find(steps[0][0], seen)) >= 0:
        seen = at + len(steps[0][0])
        _, keys, *columns = steps.pop(0)
        for wide in columns:
            size(wide)
        time.sleep(0.1)
        os.write(terminal, keys)
else:
    os.kill(pid, signal.SIGKILL)
sys.stdout.buffer.write(screen)
sys.stdout.flush()
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status) if not steps else 99)
