import { setTimeout as sleep } from "node:timers/promises";
import { countOf, didYouMean } from "@pergola/sdk";
import type { McpServerStatus } from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import { isConfirmed } from "./ask-person.ts";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { openBrowser } from "./open-browser.ts";
import { printNote, printResult } from "./print-result.ts";
import type { CommonOptions, Service } from "./service.ts";
import { untilInterrupted } from "./until-interrupted.ts";
import { styled, visible } from "./visible.ts";

interface Listed {
  readonly servers: readonly McpServerStatus[];
}

const root = "/api/mcp/servers";
/** Milliseconds between two looks at a sign-in, and looks after its end until its tokens must have come. */
const [pause, patience] = [500, 30];

const marks: Readonly<Record<McpServerStatus["state"], string>> = {
  ready: styled("green", "✓"),
  idle: styled("green", "✓"),
  connecting: "…",
  failed: styled("red", "✗"),
  review: styled("yellow", "○"),
  sign_in: styled("yellow", "○"),
  disabled: styled("dim", "·"),
};

const words: Readonly<Record<McpServerStatus["state"], string>> = {
  ready: "runs",
  idle: "starts when it is needed",
  connecting: "is connecting",
  failed: "cannot be used",
  review: "has changed, and is not used as it is now",
  sign_in: "wants you to sign in",
  disabled: "is switched off",
};

/** Whether something walls its program in; empty for one behind an address. */
function wallOf({ transport, sandbox }: McpServerStatus): string {
  if (transport === "http") return "";
  return sandbox === null ? ", not sandboxed" : `, sandboxed (${sandbox})`;
}

const targetOf = ({ url, command, args }: McpServerStatus): string =>
  url ?? [command ?? "", ...args].map((word) => (/[\s"]/.test(word) ? JSON.stringify(word) : word)).join(" ");

/** What the person can do next; empty where nothing is to be done. */
function nextSteps({ name, state, fixed, restartRequired }: McpServerStatus): readonly string[] {
  const where = fixed ? "in the settings file" : "on the page (pergola open, MCP servers)";
  const steps: Partial<Record<McpServerStatus["state"], string>> = {
    failed: `Correct its entry ${where}, then: pergola mcp show ${name} --check`,
    review: "Look at what has changed, and approve it: pergola open, MCP servers",
    sign_in: `Sign in: pergola mcp sign-in ${name}`,
    disabled: `To switch it on, set enabled ${where}.`,
  };
  const step = steps[state];
  return [
    ...(step === undefined ? [] : [step]),
    ...(restartRequired ? ["Models see the difference once the service has been started again."] : []),
  ];
}

function lineOf(server: McpServerStatus): string {
  const { name, state, tools, lastError } = server;
  const offered = state === "disabled" ? "" : `, ${countOf(tools.length, "tool")}`;
  const why = lastError !== null && state === "failed" ? `: ${lastError}` : "";
  return `${marks[state]} ${visible(`${name} ${words[state]}${offered}${wallOf(server)}${why}`)}`;
}

async function serversOf(service: Service): Promise<readonly McpServerStatus[]> {
  return (await service.get<Listed>(root)).servers;
}

/** Throws AppError `not_found`, which names those that there are. */
async function find(service: Service, name: string): Promise<McpServerStatus> {
  const servers = await serversOf(service);
  const found = servers.find((server) => server.name === name);
  if (found !== undefined) return found;
  const names = servers.map((server) => server.name);
  const hint = `${didYouMean(name, names)} \`pergola mcp list\` shows them.`;
  throw fault("not_found", `There is no MCP server "${name}".${hint}`);
}

const pathOf = (name: string, step: string): string => `${root}/${encodeURIComponent(name)}${step}`;

/** Shows each server in a line. */
export async function listServers(service: Service, options: CommonOptions): Promise<void> {
  const servers = await serversOf(service);
  const none = "There are no MCP servers. To take over those of another program: pergola mcp import <file>";
  printResult(options, { servers }, servers.length > 0 ? servers.map(lineOf) : [none]);
  if (options.json !== true) for (const { name } of servers.filter(isWaiting)) printNote(hintFor(name));
}

const isWaiting = ({ state }: McpServerStatus): boolean => /^(failed|review|sign_in)$/.test(state);
const hintFor = (name: string): string => `To see what to do: pergola mcp show ${name}`;

function describe(server: McpServerStatus): readonly string[] {
  const { secrets, lastError, signedIn, tools, fixed } = server;
  const facts = [
    `  ${server.url === null ? "starts" : "calls"}: ${targetOf(server)}`,
    ...(secrets.length > 0 ? [`  secrets: ${secrets.join(", ")}`] : []),
    ...(signedIn ? ["  you are signed in"] : []),
    ...(fixed ? ["  set in the settings"] : []),
    ...(lastError === null ? [] : [`  why: ${lastError}`]),
    ...tools.map(({ name, effect, changed, description }) => {
      const note = changed ? `${effect}, changed` : effect;
      return `  ${name} (${note})  ${description.replaceAll(/\s+/g, " ").slice(0, 120)}`;
    }),
  ];
  return [lineOf({ ...server, lastError: null }), ...facts.map(visible)];
}

interface ShowOptions extends CommonOptions {
  readonly check?: boolean;
}

/** Shows a server with its tools; with `check` as it is once it was connected to. */
export async function showServer(service: Service, name: string, options: ShowOptions): Promise<number> {
  const known = await find(service, name);
  const server =
    options.check === true ? await service.send<McpServerStatus>("POST", pathOf(name, "/check"), {}) : known;
  show(server, options);
  return exitCodeOf(options.check !== true || server.state !== "failed");
}

function show(server: McpServerStatus, options: CommonOptions): void {
  const steps = nextSteps(server);
  printResult(options, { ...server, nextSteps: steps }, describe(server));
  if (options.json !== true) steps.forEach(printNote);
}

interface RemoveOptions extends CommonOptions {
  readonly yes?: boolean;
}

/** Removes a server with its secrets, after a yes. */
export async function removeServer(service: Service, name: string, options: RemoveOptions): Promise<number> {
  const server = await find(service, name);
  printNote(describe(server).slice(0, 2).join("\n"));
  if (options.yes !== true && !(await isConfirmed(`Remove ${name} and its secrets?`, "--yes"))) {
    printNote("Nothing has been removed.");
    return exitCodes.failed;
  }
  await service.send("DELETE", pathOf(name, ""));
  printResult(options, { name, removed: true }, [`Removed ${name}.`]);
  return exitCodes.ok;
}

interface SignInOptions extends CommonOptions {
  /** Only print the address. */
  readonly print?: boolean;
}

/** Begins a sign-in, leads the person's browser there, and waits for what comes of it. */
export async function signIn(service: Service, name: string, options: SignInOptions): Promise<number> {
  await find(service, name);
  const server = await service.send<McpServerStatus>("POST", pathOf(name, "/check"), {});
  const { signInUrl } = server;
  if (signInUrl === null) {
    if (server.state !== "failed") printNote(`${name} asks for no sign-in${server.signedIn ? " now" : ""}.`);
    show(server, options);
    return exitCodeOf(server.state !== "failed");
  }
  const isOpen = options.print !== true && (await openBrowser(signInUrl));
  const note = isOpen ? `Sign in with your browser, at ${signInUrl}` : `Open this address: ${signInUrl}`;
  const after = await untilInterrupted((signal) => {
    printNote(note);
    return untilSignedIn(service, name, signInUrl, signal);
  });
  if (after === undefined) return exitCodes.interrupted;
  show(after, options);
  return exitCodeOf(after.signedIn && after.state !== "sign_in");
}

/** How the server is once this sign-in is over, or its link too old; undefined when the person leaves. */
async function untilSignedIn(
  service: Service,
  name: string,
  signInUrl: string,
  signal: AbortSignal,
): Promise<McpServerStatus | undefined> {
  let looks = 0;
  while (!signal.aborted) {
    const server = await find(service, name);
    if (server.signInUrl !== signInUrl) looks += 1;
    const isOpen = looks === 0 || server.state === "connecting" || server.state === "sign_in";
    if (!isOpen || looks > patience) return server;
    await sleep(pause, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

/** Gives up a sign-in. */
export async function signOut(service: Service, name: string, options: CommonOptions): Promise<void> {
  const { signedIn } = await find(service, name);
  const server = await service.send<McpServerStatus>("POST", pathOf(name, "/sign-out"), {});
  const text = signedIn ? `You are signed out: ${name}` : `You were not signed in: ${name}`;
  printResult(options, server, [text]);
}
