import path from "node:path";
import type { Preview } from "@pergola/sdk/host";
import { temporaryFolder, type ScriptedCall, type TestHostOptions } from "@pergola/sdk/testing";
import { ask, officialPlugins, openStage } from "./host.ts";
import { answer, calling, pendingIn, saying, type WireApproval } from "./lab-stage.ts";

export type Shown = WireApproval & { readonly preview: Preview | null };

/** A host whose model makes calls that ask, in a folder; further plugins may be added. */
export async function openPreviewStage(plugins: NonNullable<TestHostOptions["plugins"]> = []) {
  const folder = temporaryFolder("pergola-preview-");
  const stage = await openStage(undefined, {
    settings: { "tools.disabled": [] },
    plugins: [...officialPlugins(), ...plugins],
  });
  const one = async (id: string): Promise<Shown> =>
    (await stage.host.json<Shown>("GET", `/api/approvals/${id}`)).body;
  return {
    ...stage,
    folder,
    at: (name: string): string => path.join(folder, name),
    /** A question as it is shown by itself. */
    one,
    /** Plays a call that asks; gives its question as it is shown by itself. */
    asking: async (conversationId: string, call: ScriptedCall, more: object = {}) => {
      stage.provider.play([calling(call), saying("Done.")]);
      const config = { service_config: { working_directory: folder } };
      const ended = stage.host.request(
        "POST",
        "/api/chat/completions",
        ask("Do it", { conversationId, ...config, ...more }),
      );
      const listed = await pendingIn(stage.host, conversationId);
      return { ended, listed: listed as Shown, shown: await one(listed.id) };
    },
    yes: (toolCallId: string) => answer(stage.host, toolCallId, { approved: true }),
    no: (toolCallId: string) => answer(stage.host, toolCallId, { approved: false }),
  };
}

export type PreviewStage = Awaited<ReturnType<typeof openPreviewStage>>;

/** The lines of a file's diff. */
export const linesOf = ({ preview }: Shown, index = 0) =>
  preview?.files[index]?.diff?.hunks?.flatMap(({ lines }) => lines);
