import type { SyntaxFault } from "@pergola/kit-code-symbols";
import { startThread, WorkerPool, workerUrl } from "@pergola/kit-worker";

/** What the thread does: it finds the faults of a YAML text. */
export interface YamlTasks {
  readonly errors: { readonly ask: string; readonly answer: readonly SyntaxFault[] };
}

/** Parses YAML in a thread, so that no large or hostile file holds up the process. */
export const yamlReader = new WorkerPool<YamlTasks>({
  start: () => startThread(workerUrl("yaml.worker", import.meta.url), { memoryLimit: 512 }),
  toError: ({ message }) => new Error(message),
  deadline: 10_000,
  idleAfter: 60_000,
});

export const isYaml = (path: string): boolean => /\.ya?ml$/i.test(path);

/** Files that a template engine makes YAML of are none yet: what is wrong with them may be right. */
export const isTemplate = (text: string): boolean => /\{\{|\{%|<%/.test(text);
