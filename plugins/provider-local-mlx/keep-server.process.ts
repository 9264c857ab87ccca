import { spawn } from "node:child_process";

// Keeps the server of a model alive as long as the host is: a program that knows nothing of the host would
// outlive it.

const [program = "", ...args] = process.argv.slice(2);
const server = spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });
server.once("error", () => process.exit(1));
server.once("exit", (code) => process.exit(code ?? 1));
process.on("disconnect", () => server.kill("SIGKILL"));
