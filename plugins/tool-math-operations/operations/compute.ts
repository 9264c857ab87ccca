import { defineOperation, toolDisplay, ToolError, type SpawnResult, type ToolContext } from "@pergola/sdk";
import { program, ready } from "../compute/program.ts";
import { invalidValue } from "../invalid-value.ts";

const mostLines = 100;
const timeoutSeconds = 10;
const maxOutputBytes = 256 * 1024;
/** That of the system: one from elsewhere may need files that the sandbox does not show. */
const python = "/usr/bin/python3";

const remedy =
  "Calculate another way. To enable it, install the Debian packages " +
  "bubblewrap and python3 on Linux and allow user namespaces.";

const unavailable = (reason: string, cause?: unknown): ToolError =>
  new ToolError("unavailable", `Python cannot be isolated here: ${reason}.`, { hint: remedy, cause });

/** The interpreter itself sets further limits and closes the last doors before it runs the code. */
async function runIsolated(code: string, context: ToolContext): Promise<SpawnResult> {
  try {
    return await context.spawn(python, ["-I", "-B", "-X", "utf8", "-c", program], {
      input: code,
      timeoutSeconds,
      maxOutputBytes,
      sandbox: { kind: "helper", read: [python] },
    });
  } catch (cause) {
    if (!ToolError.is(cause) || cause.code !== "unavailable") throw cause;
    throw unavailable(cause.message.replace(/\.$/, ""), cause);
  }
}

/** The last words of a long text: a Python error says at its end what happened. */
function tail(text: string): string {
  if (text.length <= 4000) return text;
  return `…${text.slice(-4000)}`;
}

/** What the code printed. Throws when it was not isolated, took too long or failed. */
function outputOf({ exitCode, stdout, stderr, timedOut, truncated }: SpawnResult): string {
  const [first, ...errors] = stderr.split("\n");
  if (timedOut)
    throw new ToolError("timeout", `The code ran for more than ${timeoutSeconds} s.`, {
      hint: "Make it do less.",
    });
  if (first !== ready) throw unavailable(tail(stderr.trim()) || "the sandbox did not start");
  const printed = [stdout];
  if (truncated) printed.push("\n[The rest of the output was dropped.]\n");
  const output = [...printed, errors.join("\n")].join("").trimEnd();
  if (exitCode === 0) return output;
  throw new ToolError("generic_error", `The code failed:\n${tail(output) || `exit code ${exitCode}`}`, {
    hint:
      "Correct the code. It has the standard library and 256 MiB, " +
      "but no files, network, processes or threads.",
  });
}

export const compute = defineOperation({
  name: "compute",
  description: "Run Python (up to 100 lines, 10 s) without files or network; print the result.",
  effect: "none",
  parameters: {
    code: {
      type: "string",
      minLength: 1,
      maxLength: 20_000,
    },
  },
  required: ["code"],
  display: ({ code }) => toolDisplay("Run Python", "", "function", code.split("\n")),
  examples: [
    { say: "run the python code print(sum(range(101)))", arguments: { code: "print(sum(range(101)))" } },
    { say: "execute python: print(2**200)", arguments: { code: "print(2**200)" } },
    {
      say: "what does the python expression [n for n in range(20) if n % 7 == 0] give?",
      arguments: { code: "[n for n in range(20) if n % 7 == 0]" },
    },
    {
      say: "python: import math; print(math.comb(49, 6))",
      arguments: { code: "import math; print(math.comb(49, 6))" },
    },
    { say: "run this python code: x = 3; print(x)", arguments: { code: "x = 3; print(x)" } },
  ],
  async run({ code }, context) {
    const lines = code.trimEnd().split("\n").length;
    if (lines > mostLines)
      throw invalidValue(`The code has ${lines} lines; at most ${mostLines} are run.`, "Make it shorter.");
    const output = outputOf(await runIsolated(code, context));
    if (output === "") return { data: output, message: "The code printed nothing; print what you need." };
    return { data: output, message: "The code ran." };
  },
});
