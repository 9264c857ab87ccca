#!/usr/bin/env python3
"""Plays launchctl(1) for the agents of one person, and the launchd behind it.

It reads the property list with the reader of Python, and runs what that says: the program with the variables it
names and no others, its output in the files it names, again after a failure where KeepAlive wants it. What it is
asked goes into `asked` in the folder $LAUNCHD, whose `agent.json` is the agent that it has.
"""
import json, os, plistlib, signal, subprocess, sys, time

folder = os.environ["LAUNCHD"]
state, disabled = os.path.join(folder, "agent.json"), os.path.join(folder, "disabled")


def fail(code, text):
    sys.exit(print(text, file=sys.stderr) or code)


def known():
    try:
        with open(state) as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def write(value):
    with open(state + ".new", "w") as file:
        json.dump(value, file)
    os.rename(state + ".new", state)


def serve(label, job):
    """Runs the job until SIGTERM, as launchd does."""
    child, leaving = None, False

    def leave(*_):
        nonlocal leaving
        leaving = True
        child.terminate()
        signal.alarm(job.get("ExitTimeOut", 20))

    signal.signal(signal.SIGTERM, leave)
    signal.signal(signal.SIGALRM, lambda *_: child.kill())
    while not leaving:
        with open(job["StandardOutPath"], "ab") as out, open(job["StandardErrorPath"], "ab") as err:
            environment = {"HOME": os.environ["HOME"], **job["EnvironmentVariables"]}
            child = subprocess.Popen(job["ProgramArguments"], cwd="/", env=environment, stdin=subprocess.DEVNULL,
                                     stdout=out, stderr=err)
        write({"label": label, "pid": child.pid, "server": os.getpid()})
        code = child.wait()
        again = job.get("KeepAlive")
        if not leaving and not (again is True or isinstance(again, dict) and again.get("SuccessfulExit") is (code == 0)):
            write({"label": label, "pid": None, "server": os.getpid()})
            signal.pause()
        time.sleep(0 if leaving else 0.2)
    os.remove(state)
    os._exit(0)


def bootstrap(domain, path):
    with open(path, "rb") as file:
        job = plistlib.load(file)
    name = f"{domain}/{job['Label']}"
    if known() is not None or os.path.exists(disabled) or not job.get("RunAtLoad"):
        fail(5, "Bootstrap failed: 5: Input/output error")
    if os.fork() == 0:
        os.setsid()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in range(3):
            os.dup2(nowhere, descriptor)
        serve(name, job)
    while known() is None:
        time.sleep(0.02)


def bootout(name):
    agent = known()
    if agent is None or agent["label"] != name:
        fail(3, "Boot-out failed: 3: No such process")
    os.kill(agent["server"], signal.SIGTERM)
    fail(36, "Boot-out failed: 36: Operation now in progress")


def show(name):
    agent = known()
    if agent is None or agent["label"] != name:
        fail(113, f'Could not find service "{name}"')
    running = agent["pid"] is not None
    print(f"{name} = {{\n\tactive count = 1\n\tstate = {'running' if running else 'not running'}")
    print(f"\tpid = {agent['pid']}\n}}" if running else "\tlast exit code = 0\n}")


def enable(name):
    if os.path.exists(disabled):
        os.remove(disabled)


with open(os.path.join(folder, "asked"), "a") as asked:
    asked.write(" ".join(sys.argv[1:]) + "\n")
{"bootstrap": bootstrap, "bootout": bootout, "print": show, "enable": enable}[sys.argv[1]](*sys.argv[2:])
