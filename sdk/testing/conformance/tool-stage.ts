import { isObject, type JsonObject, type PluginStatus, type Tool, type ToolResult } from "@pergola/sdk";
import { endpointRequest } from "../endpoint-request.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { toolContext, type TestContext, type TestSetup } from "../tool-context.ts";
import { statusOf, type KitHost, type PluginUnderTest } from "./kit-host.ts";

/** A call of one operation of the family. */
export interface SampleCall {
  readonly operation: string;
  readonly arguments: JsonObject;
}

/** What `describeTool` must know of a tool plugin. */
export interface ToolUnderTest extends PluginUnderTest {
  /** The family, as the code makes it. */
  readonly tool: Tool;
  /**
   * Calls that succeed, one after the other, in one conversation and working directory. Default: the first
   * example of each operation.
   */
  readonly calls?: readonly SampleCall[];
  /** Puts files that the calls need into a working directory. */
  readonly prepare?: (workingDirectory: string) => Promise<void> | void;
  /** A call that goes on until it is stopped, for instance because a service does not answer. */
  readonly endless?: SampleCall;
  /** The call with the largest answer. */
  readonly largest?: SampleCall;
  /** For contexts without a host: answers of the person, secrets, stored results. */
  readonly context?: TestSetup;
}

/** A tool plugin in a host. */
export interface ToolStage extends ToolUnderTest, Pick<KitHost, "host" | "model"> {}

/** How a call ended, in words. */
export const saidOf = ({ success, error_code = "", error = "", message }: ToolResult): string =>
  success ? "it succeeded" : `${error_code}: ${error || message}`;

export const samplesOf = ({ tool, calls }: ToolUnderTest): readonly SampleCall[] =>
  calls ??
  tool.operations.flatMap(({ name, examples = [] }) =>
    examples.slice(0, 1).map((example) => ({ operation: name, arguments: example.arguments })),
  );

/** The state of the plugin. Throws when it does not run. */
export const pluginOf = ({ host, id }: ToolStage): PluginStatus => statusOf(host, id);

export type MakeCall = (call: SampleCall, signal?: AbortSignal) => Promise<ToolResult>;

/** A conversation and a working directory of their own, in which calls are made through the host's door. */
export async function openCalls({ host, tool, prepare }: ToolStage): Promise<MakeCall> {
  const { body } = await host.json<{ readonly id: string }>("POST", "/v1/conversations", {});
  const workingDirectory = temporaryFolder();
  await prepare?.(workingDirectory);
  return async (call, signal = new AbortController().signal) => {
    const made = await host.services.tools.call({
      name: `${tool.name}.${call.operation}`,
      arguments: call.arguments,
      conversationId: body.id,
      workingDirectory,
      waitSeconds: 0,
      userInitiated: true,
      caller: endpointRequest().caller,
      signal,
    });
    return made.result;
  };
}

/** A context without a host, with the defaults of the settings; `stored` tells what calls have left. */
export function openContext(stage: ToolStage, setup: Parameters<typeof toolContext>[0] = {}) {
  const defaults = Object.entries(pluginOf(stage).settings).flatMap(([key, schema]) =>
    isObject(schema) && schema["default"] !== undefined ? [[key, schema["default"]]] : [],
  );
  const settings = { ...(Object.fromEntries(defaults) as JsonObject), ...stage.settings };
  const collections = new Map<string, ReturnType<TestContext["collection"]>>();
  const context = toolContext({ settings, ...stage.context, ...setup });
  const collection = ((name: string) => {
    const known = collections.get(name) ?? context.collection(name);
    collections.set(name, known);
    return known;
  }) as TestContext["collection"];
  return {
    context: { ...context, collection },
    /** Everything in its collections, as JSON text; versions count writes, not what is written. */
    stored: async (): Promise<string> => {
      const found: unknown[] = [];
      for (const [name, records] of collections) found.push(name, await records.find({}));
      return JSON.stringify(found, (key, value: unknown) => (key === "version" ? undefined : value));
    },
  };
}
