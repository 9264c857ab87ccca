import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { requireExtra } from "@pergola/kit-extras";
import { startThread, toToolError, WorkerConnection, workerUrl } from "@pergola/kit-worker";
import { ToolError, type ToolContext } from "@pergola/sdk";
import { answerRequest } from "./answer-request.ts";
import type { BrowserTasks, PageRequest, Rendered, RequestAnswer } from "./browser-tasks.ts";

/** Milliseconds for all of it. */
const deadline = 45_000;
/** Bytes of all answers that one page gets. */
const mostBytes = 50 * 2 ** 20;

const toError = toToolError(
  ({ message }) =>
    new ToolError("generic_error", `The page could not be opened in a browser: ${message.split("\n")[0]}.`, {
      hint: "Fetch it without its scripts, or try another page.",
    }),
);

/** What browsers of Linux distributions need beside their programs. */
const settings = ["/etc/chromium.d", "/etc/chromium", "/etc/fonts", "/etc/opt/chrome"];

/**
 * A browser is spoken to over descriptors 3 and 4. The way into the sandbox has uses of its own for these, so
 * that they go through it as 8 and 9.
 */
const pipes = {
  outside: "exec 8<&3 9>&4 3<&- 4>&-",
  inside: 'exec 3<&8 4>&9 8<&- 9>&-; exec "$0" "$@"',
} as const;

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Where a program is, as a shell finds it. Throws ToolError `unavailable`. */
function installed(command: string): string {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter(Boolean);
  const places = command.includes("/") ? [command] : folders.map((folder) => path.join(folder, command));
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw new ToolError(
    "unavailable",
    `The browser "${command}" of tools.web.browser_command is not installed.`,
    {
      hint: "Tell the person to install Chromium, or to correct that setting.",
    },
  );
}

/**
 * Writes an executable file that runs the browser in a sandbox without network, with the arguments it gets.
 * Throws ToolError `unavailable` where there is no sandbox: pages are strangers' programs.
 */
async function walledBrowser(command: string, folder: string, context: ToolContext) {
  const line = await context.prepare("/bin/sh", ["-c", pipes.inside, installed(command)], {
    cwd: folder,
    sandbox: { kind: "command", read: settings, write: [folder], network: "none" },
  });
  try {
    if (!line.sandboxed)
      throw new ToolError("unavailable", "A browser is opened in a sandbox only, and there is none.", {
        hint: "Tell the person to install bubblewrap, or to leave tools.web.browser_command empty.",
      });
    const program = path.join(folder, "browser");
    const words = [line.program, ...line.args].map(quoted);
    await writeFile(program, `#!/bin/sh\n${pipes.outside}\nexec ${words.join(" ")} "$@"\n`);
    await chmod(program, 0o700);
    const env = { PATH: process.env["PATH"] ?? "", HOME: folder, TMPDIR: folder, ...line.env };
    return { program, env, release: () => line.release() };
  } catch (error) {
    await line.release();
    throw error;
  }
}

/** Counts the bytes that a page gets; beyond the most it gets nothing. */
function boundedAnswers(context: ToolContext): (request: PageRequest) => Promise<RequestAnswer> {
  let left = mostBytes;
  return async (request) => {
    if (left <= 0) return { id: request.id };
    const given = await answerRequest(context, request);
    left -= given.answer?.body.length ?? 0;
    return given;
  };
}

/**
 * Runs a page's scripts in the browser of `tools.web.browser_command` and gives what they have made of it.
 * The browser sees no file of the person and has no network: what the page asks for is fetched through the
 * door, with its rules on addresses, without cookies. It ends with the call. Throws ToolError `unavailable`
 * where the browser, its extra or the sandbox is missing, `generic_error` where it fails.
 */
export async function renderPage(
  command: string,
  page: { readonly url: string; readonly html: string; readonly screenshot: boolean },
  context: ToolContext,
): Promise<Rendered> {
  requireExtra("browser", import.meta.url);
  const folder = await mkdtemp(path.join(tmpdir(), "pergola-browser-"));
  try {
    const { program, env, release } = await walledBrowser(command, folder, context);
    const thread = startThread(workerUrl("browser.worker", import.meta.url), {
      memoryLimit: 512,
      // What Playwright keeps goes with the folder, however the thread ends.
      env: { PATH: process.env["PATH"], TMPDIR: folder },
    });
    const worker = new WorkerConnection<BrowserTasks>(thread, { toError, onAbort: "end" });
    const answer = boundedAnswers(context);
    try {
      return await worker.ask(
        "render",
        { program, env, ...page },
        {
          signal: context.signal,
          deadline,
          onEvent: (request) =>
            void answer(request)
              .then((given) => worker.ask("answer", given))
              .catch(() => undefined),
        },
      );
    } finally {
      await worker.kill();
      await release();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
