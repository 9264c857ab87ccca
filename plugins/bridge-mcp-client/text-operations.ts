import {
  defineOperation,
  type Effect,
  type JsonObject,
  type Operation,
  type OperationResult,
  type ToolContext,
} from "@pergola/sdk";
import { visibleText as visible } from "@pergola/sdk/host";
import { configuredEffect } from "./effect-of.ts";
import type { CallAnswer, Link, TextKinds } from "./link.ts";
import type { ServerSettings } from "./server-settings.ts";

/** What is asked of a server once the link is there. */
export type Ask = (link: Link) => Promise<CallAnswer>;

interface Rules {
  readonly settings: ServerSettings;
  readonly run: (ask: Ask, effect: Effect, context: ToolContext) => Promise<OperationResult>;
}

const lines = (items: readonly JsonObject[]): CallAnswer => ({
  content: [
    { type: "text", text: items.map((item) => JSON.stringify(item)).join("\n") || "There are none." },
  ],
});

const text = (description: string) =>
  ({ type: "string", minLength: 1, maxLength: 8192, description }) as const;

/** The person's word counts; without one, each call is asked about, as those of tools are. */
const effectOf = (name: string, settings: ServerSettings): Effect =>
  configuredEffect(name, settings) ?? "execute";

/**
 * Operations for the resources and the prompts of a server, as far as it has any. Its own tools go before
 * them where the names are the same.
 */
export function textOperations(
  server: string,
  kinds: TextKinds,
  { settings, run }: Rules,
): readonly Operation[] {
  const common = (name: string) => ({
    name,
    effect: effectOf(name, settings),
    place: "external" as const,
    display: () => ({ summary: `${name} on the MCP server ${visible(server)}`, icon: "plug" }),
  });
  const ask = (name: string, context: ToolContext, what: Ask) => run(what, effectOf(name, settings), context);
  const resources = [
    defineOperation({
      ...common("list_resources"),
      description: "What the server has to read: addresses, and templates of addresses to fill in.",
      parameters: {},
      run: async (_, context) =>
        ask("list_resources", context, async ({ texts }) => lines(await texts.listResources())),
    }),
    defineOperation({
      ...common("read_resource"),
      description: "Read a resource of the server. Pictures and bytes are saved as files.",
      parameters: {
        uri: text("Its address, as list_resources shows it, or of a template that is filled in"),
      },
      required: ["uri"],
      run: async ({ uri }, context) =>
        ask("read_resource", context, async ({ texts }) => ({
          content: await texts.readResource(uri, context.signal),
        })),
    }),
  ];
  const prompts = [
    defineOperation({
      ...common("list_prompts"),
      description: "The prompts that the server has ready, and the arguments that they take.",
      parameters: {},
      run: async (_, context) =>
        ask("list_prompts", context, async ({ texts }) => lines(await texts.listPrompts())),
    }),
    defineOperation({
      ...common("get_prompt"),
      description: "The text of a prompt of the server, to follow only where the person has asked for it.",
      parameters: {
        prompt: text("Its name, as list_prompts shows it"),
        values: {
          type: "object",
          additionalProperties: { type: "string" },
          description: "Its arguments by name",
        },
      },
      required: ["prompt"],
      run: async ({ prompt, values = {} }, context) =>
        ask("get_prompt", context, async ({ texts }) => ({
          content: await texts.getPrompt(prompt, values as Readonly<Record<string, string>>, context.signal),
        })),
    }),
  ];
  const all = [...(kinds.resources ? resources : []), ...(kinds.prompts ? prompts : [])];
  return all.filter(({ name }) => settings.tools?.includes(name) ?? true);
}
