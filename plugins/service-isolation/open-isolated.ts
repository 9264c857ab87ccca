import {
  isObject,
  type JsonObject,
  PluginError,
  ToolError,
  type Operation,
  type OperationResult,
  type Tool,
  type ProbeContext,
  type ToolContext,
} from "@pergola/sdk";
import {
  exportFaults,
  pick,
  visibleJson,
  visibleText,
  withDeadline,
  type CompleteManifest,
  type Described,
  type IsolatedPlugin,
  type PluginDescription,
} from "@pergola/sdk/host";
import type { DoorRequest, RemoteCall } from "./door-methods.ts";
import { folderKey, forgetDescription, readDescription, writeDescription } from "./descriptions.ts";
import { IsolatedProcess, type IsolationOptions } from "./isolated-process.ts";
import type { RunningProcess } from "./running-process.ts";
import { wallsFor } from "./start-isolated.ts";
import { throughDoor } from "./through-door.ts";
import { mayWrite, withoutWrites } from "./without-writes.ts";

/** Milliseconds for a question that only looks at arguments, and for stopping after a call was ended. */
const [quick, grace] = [2_000, 1_000];

type Description = PluginDescription & Pick<IsolatedPlugin, "permissions">;
type Target = Pick<RemoteCall, "tool" | "operation" | "name">;

function factsOf(context: ToolContext | ProbeContext): NonNullable<RemoteCall["facts"]> {
  const source = context as Partial<ToolContext & ProbeContext>;
  const { run, clock, memory, keepsMemory } = source;
  const handle = run ? pick(run, "id", "iteration", "maxIterations") : null;
  return {
    ...pick(
      source,
      "callId",
      "conversationId",
      "scope",
      "workingDirectory",
      "settings",
      "contextWindow",
      "trace",
    ),
    run: handle,
    now: clock?.now() ?? Date.now(),
    hasMemory: memory !== undefined,
    ...(keepsMemory !== undefined && { keepsMemory }),
  };
}

/**
 * Runs a tool plugin in a process of its own and gives back its tools, whose functions work over there.
 * Throws when it brings more than tools.
 */
export async function openIsolated(
  found: CompleteManifest,
  options: IsolationOptions,
): Promise<IsolatedPlugin> {
  const isolated = new Isolated(found, options);
  try {
    return await isolated.open();
  } catch (error) {
    await isolated.stop();
    throw error;
  }
}

class Isolated {
  readonly #found: CompleteManifest;
  readonly #options: IsolationOptions;
  readonly #process: IsolatedProcess;
  readonly #contexts = new Map<number, ToolContext>();
  #calls = 0;
  /** What the plugin says it brings, as JSON: kept from an earlier start, or asked of its process. */
  #description: string | undefined;

  constructor(found: CompleteManifest, options: IsolationOptions) {
    this.#found = found;
    this.#options = options;
    const output = (...args: unknown[]): void =>
      void this.#process.use(({ channel }) => channel.ask("output", ...args)).catch(() => undefined);
    const door = (request: DoorRequest): Promise<unknown> =>
      throughDoor(this.#contexts.get(request.call), request, output);
    const described = (description: unknown): void => this.#described(description);
    this.#process = new IsolatedProcess(found, { door, described }, options);
  }

  async open(): Promise<IsolatedPlugin> {
    const { id } = this.#found;
    const walled = this.#requireWalls();
    // Whoever waits for it hears of it.
    walled.catch(() => undefined);
    const { tools, functions, collections, permissions, ...rest } = await this.#describe(walled);
    const beyond = [...functions, ...Object.keys(rest)];
    const remedy =
      "If you trust it with everything the host may do, " + 'give it "isolation": "trusted" in the settings.';
    if (beyond.length > 0)
      throw new PluginError(id, "import", `${beyond.join(", ")} cannot work in a process of its own`, {
        remedy,
      });
    const plugin = {
      tools: tools.map((tool) => this.#tool(tool)),
      ...(collections && { collections }),
      stop: () => this.stop(),
    };
    const faults = exportFaults(plugin);
    if (faults.length > 0) throw new Error(faults.join("; "));
    return { ...plugin, walled, ...(permissions && { permissions }) };
  }

  async #requireWalls(): Promise<void> {
    const { id } = this.#found;
    const state = await wallsFor(id, this.#options);
    if (!state.works) this.#options.log.warn({ reason: state.reason }, `${id} runs WITHOUT A SANDBOX`);
  }

  /** A process is started only for a plugin that has changed; then it is ended again until it is needed. */
  async #describe(walled: Promise<void>): Promise<Description> {
    const { dataDirectory } = this.#options;
    const { id, entry } = this.#found;
    const key = await folderKey(entry);
    this.#description = await readDescription(dataDirectory, id, key);
    if (this.#description === undefined) {
      await walled;
      await this.#process.use(async () => undefined);
      await this.#process.rest();
      await writeDescription(dataDirectory, id, { key, description: this.#description ?? "" });
    }
    const described = visibleJson(JSON.parse(this.#description ?? "") as JsonObject);
    return described as unknown as Description;
  }

  /** A process that brings something else than was registered must not run under the old names. */
  #described(description: unknown): void {
    const text = JSON.stringify(description);
    this.#description ??= text;
    if (text === this.#description) return;
    void forgetDescription(this.#options.dataDirectory, this.#found.id);
    throw new ToolError(
      "unavailable",
      `The plugin ${this.#found.id} has changed since the service started.`,
      {
        hint: "Tell the person to restart the service.",
      },
    );
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }

  /** `inferOperation` is left out: it would have to answer at once. */
  #tool({ functions, operations, ...tool }: Description["tools"][number]): Tool {
    const target = { tool: tool.name };
    return {
      ...tool,
      ...this.#remote(
        target,
        functions.filter((name) => name === "unavailable"),
      ),
      operations: operations.map((operation) => this.#operation(target, operation)),
    };
  }

  #operation(
    target: { readonly tool: string },
    { functions, ...operation }: Described<Operation>,
  ): Operation {
    const reads = !mayWrite(operation);
    return {
      ...operation,
      ...this.#remote({ ...target, operation: operation.name }, functions, reads ? withoutWrites : undefined),
    };
  }

  #remote(
    target: Omit<Target, "name">,
    names: readonly string[],
    narrow = (context: ToolContext): ToolContext => context,
  ): object {
    return Object.fromEntries(
      names.map((name) => [
        name,
        (args: unknown, context?: ToolContext) =>
          this.#call({ ...target, name }, args, context && narrow(context)),
      ]),
    );
  }

  #call(target: Target, args: unknown, context: ToolContext | undefined): Promise<unknown> {
    if (target.name === "unavailable" && context === undefined)
      return this.#call(target, {}, args as ToolContext);
    const call = {
      ...target,
      call: ++this.#calls,
      args,
      ...(context && { facts: factsOf(context) }),
    };
    const name = [target.tool, target.operation].filter(Boolean).join(".");
    return this.#process.use((running) =>
      running.during(call.call, name, async () => {
        if (context === undefined) return this.#question(running, call);
        const answer = await this.#inContext(running, call, context);
        if (target.name !== "run") return answer;
        return this.#checkedResult(running, answer);
      }),
    );
  }

  #question(running: RunningProcess, call: RemoteCall): Promise<unknown> {
    return withDeadline(running.channel.ask("call", call), quick, () => this.#tooLate(running));
  }

  /** The door is open to a call while it runs. Once it was ended it may still stop by itself for a moment. */
  async #inContext(running: RunningProcess, call: RemoteCall, context: ToolContext): Promise<unknown> {
    const { channel } = running;
    let timer: NodeJS.Timeout | undefined;
    const abort = (): void => {
      channel.ask("abort", call.call).catch(() => undefined);
      timer = setTimeout(() => this.#tooLate(running), grace);
    };
    this.#contexts.set(call.call, context);
    try {
      const work = channel.ask("call", call);
      context.signal.addEventListener("abort", abort);
      if (context.signal.aborted) abort();
      return await work;
    } finally {
      clearTimeout(timer);
      context.signal.removeEventListener("abort", abort);
      this.#contexts.delete(call.call);
    }
  }

  #tooLate(running: RunningProcess): ToolError {
    const text = `The plugin ${this.#found.id} did not stop in time; its process was ended.`;
    return running.kill("deadline", new ToolError("timeout", text));
  }

  /**
   * An answer that breaks the contract ends the process: nobody knows what else it gets wrong. Its data stays
   * as it is, for it may be the content of a file.
   */
  #checkedResult(running: RunningProcess, answer: unknown): unknown {
    const fault = resultFault(answer);
    if (fault === undefined) {
      const { message, ...rest } = answer as OperationResult;
      return { ...rest, ...(message !== undefined && { message: visibleText(message) }) };
    }
    const text = `The plugin ${this.#found.id} answered ${fault}; its process was ended.`;
    throw running.kill("answer", new ToolError("generic_error", text));
  }
}

/** What is wrong with the answer of an operation; undefined when nothing is. */
function resultFault(answer: unknown): string | undefined {
  if (!isObject(answer) || answer["data"] === undefined) return "without data";
  const { message, fields } = answer;
  if (message !== undefined && typeof message !== "string") return "with a message that is no text";
  if (fields !== undefined && !isObject(fields)) return "with fields that are no record";
  return undefined;
}
