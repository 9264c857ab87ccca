import { bench } from "./context.ts";

/* A host of its own that starts a command in the background and a session, and waits to be killed. */
const [, , mark = ""] = process.argv;
const at = bench();
await at.run("run_command", { command: `exec sleep ${mark} >/dev/null`, isBackground: true });
const { session_id } = await at.tell("create_session");
await at.tell("send_input", { session_id, input: `sleep ${mark}` });
setInterval(() => undefined, 1000);
