import {
  PluginError,
  ToolError,
  type Operation,
  type Plugin,
  type Tool,
  type ProbeContext,
  type ToolContext,
} from "@pergola/sdk";
import { exportFaults, pick, withDeadline, type CompleteManifest } from "@pergola/sdk/host";
import type { Channel } from "./channel.ts";
import type { DoorRequest, RemoteCall } from "./door-methods.ts";
import { IsolatedProcess, type IsolationOptions } from "./isolated-process.ts";
import { throughDoor } from "./through-door.ts";

/** Milliseconds for a question that only looks at arguments, and for stopping after a call was ended. */
const [quick, grace] = [2_000, 1_000];

type Described<T> = T & { readonly functions: readonly string[] };
interface Description {
  readonly tools: readonly (Described<Omit<Tool, "operations">> & {
    readonly operations: readonly Described<Operation>[];
  })[];
  readonly functions: readonly string[];
  readonly collections?: Plugin["collections"];
}
type Target = Pick<RemoteCall, "tool" | "operation" | "name">;

function factsOf(context: ToolContext | ProbeContext): NonNullable<RemoteCall["facts"]> {
  const source = context as Partial<ToolContext & ProbeContext>;
  const { run, clock, memory, keepsMemory } = source;
  const handle = run ? pick(run, "id", "iteration", "maxIterations") : null;
  return {
    ...pick(source, "callId", "conversationId", "scope", "workingDirectory", "settings", "contextWindow"),
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
export async function openIsolated(found: CompleteManifest, options: IsolationOptions): Promise<Plugin> {
  const isolated = new Isolated(found, options);
  try {
    return await isolated.open();
  } catch (error) {
    await isolated.stop();
    throw error;
  }
}

class Isolated {
  readonly #id: string;
  readonly #process: IsolatedProcess;
  readonly #contexts = new Map<number, ToolContext>();
  #calls = 0;

  constructor(found: CompleteManifest, options: IsolationOptions) {
    this.#id = found.id;
    const output = (...args: unknown[]): void =>
      void this.#process.use((channel) => channel.ask("output", ...args)).catch(() => undefined);
    const door = (request: DoorRequest): Promise<unknown> =>
      throughDoor(this.#contexts.get(request.call), request, output);
    this.#process = new IsolatedProcess(found, { door }, options);
  }

  async open(): Promise<Plugin> {
    await this.#process.use(async () => undefined);
    const { tools, functions, collections, ...rest } = this.#plain(this.#process.description) as Description;
    const beyond = [...functions, ...Object.keys(rest)];
    const remedy =
      "If you trust it with everything the host may do, " + 'give it "isolation": "trusted" in the settings.';
    if (beyond.length > 0)
      throw new PluginError(this.#id, "import", `${beyond.join(", ")} cannot work in a process of its own`, {
        remedy,
      });
    const plugin = {
      tools: tools.map((tool) => this.#tool(tool)),
      ...(collections && { collections }),
      stop: () => this.stop(),
    };
    const faults = exportFaults(plugin);
    if (faults.length > 0) throw new Error(faults.join("; "));
    return plugin;
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
    return {
      ...operation,
      ...this.#remote({ ...target, operation: operation.name }, functions),
    };
  }

  #remote(target: Omit<Target, "name">, names: readonly string[]): object {
    return Object.fromEntries(
      names.map((name) => [
        name,
        (args: unknown, context?: ToolContext) => this.#call({ ...target, name }, args, context),
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
    return this.#process.use(async (channel) => {
      if (context === undefined)
        return this.#plain(await withDeadline(channel.ask("call", call), quick, () => this.#kill()));
      const answer = this.#plain(await this.#inContext(channel, call, context));
      if (target.name === "run" && (answer as { readonly data?: unknown } | undefined)?.data === undefined)
        throw new Error("it answered without data");
      return answer;
    });
  }

  /** The door is open to a call while it runs. Once it was ended it may still stop by itself for a moment. */
  async #inContext(channel: Channel, call: RemoteCall, context: ToolContext): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined;
    const abort = (): void => {
      channel.ask("abort", call.call).catch(() => undefined);
      timer = setTimeout(() => this.#kill(), grace);
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

  #kill(): ToolError {
    const reason = new ToolError(
      "timeout",
      `The plugin ${this.#id} did not stop in time; its process was ended.`,
    );
    this.#process.kill(reason);
    return reason;
  }

  /** What came over, as JSON would carry it. */
  #plain(value: unknown): unknown {
    try {
      if (value === undefined) return undefined;
      return JSON.parse(JSON.stringify(value));
    } catch (cause) {
      throw new ToolError(
        "generic_error",
        `The plugin ${this.#id} answered with something that is not JSON.`,
        { cause },
      );
    }
  }
}
