export interface Answer {
  readonly status: number;
  readonly text: string;
}

interface Refusal {
  readonly error?: string | { readonly code?: unknown; readonly message?: unknown; readonly type?: unknown };
}

export const unanswered = (error: unknown): Answer => ({ status: 599, text: String(error) });

/** What a bad request may never show: a stack, or where the service lies. */
export const leak = /\bat \S+ \((?:file:|\/|node:)|node_modules|\/dist\/|\/tmp\/pergola|\/root\//;

/** The routes whose failures are those of Ollama: `{ error: text }`. */
const speaksOllama = /^\/api\/(?:version|tags|ps|show|chat|generate|embed)$/;
/** This one speaks both, by what is in the body. */
const speaksBoth = "/api/embeddings";

/** A person reads the answer of this one. */
const speaksToPeople = /^\/api\/mcp\/oauth\/callback(?:\?|$)/;

const isRefusalPage = (text: string): boolean =>
  text.startsWith("<!doctype html>") && text.includes("<h1>You are not signed in</h1>");

/** What is wrong with the answer of a route to a bad input. */
export function answerFault({ status, text }: Answer, route: string): string | undefined {
  if (status >= 500) return `${status} ${text.slice(0, 300)}`;
  // Who may read a conversation is told where it works.
  const said = status === 200 ? text.replaceAll(/"workingDirectory":"[^"]*"/g, "") : text;
  if (leak.test(said)) return `shows where the service lies, or a stack: ${text.slice(0, 300)}`;
  if (status < 400 || (speaksToPeople.test(route) && isRefusalPage(text))) return undefined;
  return shapeFault(text, route);
}

function shapeFault(text: string, route: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as Refusal;
    const isText = typeof error === "string" && error !== "";
    if (speaksOllama.test(route)) return isText ? undefined : `no error of Ollama: ${text.slice(0, 200)}`;
    if (route === speaksBoth && isText) return undefined;
    if (typeof error !== "object") return `no error object: ${text.slice(0, 200)}`;
    const isWhole = [error?.code, error?.message, error?.type].every((field) => typeof field === "string");
    return isWhole ? undefined : `no error object: ${text.slice(0, 200)}`;
  } catch {
    return `no JSON: ${text.slice(0, 200)}`;
  }
}

/** The same for a tool, which may name the paths that it was given. */
export const hostFault = ({ status, text }: Answer): string | undefined =>
  status >= 500 || /\n? +at \S+ \(/.test(text) ? `${status} ${text.slice(0, 300)}` : undefined;
