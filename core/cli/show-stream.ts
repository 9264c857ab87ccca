import { askPerson } from "./ask-person.ts";
import { readEvents, type Chunk, type Metadata } from "./read-events.ts";
import type { Service } from "./service.ts";
import { styled, visible } from "./visible.ts";

export interface Shown {
  readonly conversationId: string | undefined;
  readonly text: string;
  readonly metadata: Metadata | undefined;
  readonly error: string | undefined;
}

const marks: Readonly<Record<string, string>> = { running: "…", success: "✓", error: "✗", userInputRequired: "?", queued: "·" };

function card({ toolName, toolOperation, toolStatus = "", toolDisplayData, toolDetails, toolMetadata }: Chunk): string {
  const spent = toolMetadata?.duration_ms === undefined ? "" : ` ${toolMetadata.duration_ms} ms`;
  const fault = toolMetadata?.error_code ? ` ${toolMetadata.error_code}` : "";
  const more = toolDetails?.[0] ?? toolDisplayData?.summary ?? "";
  return styled("dim", `${marks[toolStatus] ?? toolStatus} ${toolName}.${toolOperation} ${visible(more)}${spent}${fault}`);
}

/** Writes a chat stream to the terminal as it comes: text, a line for each step of a tool, and the questions it asks. */
export async function showStream(service: Service, answer: Response, options: { readonly json: boolean }): Promise<Shown> {
  let [conversationId, text, atLineStart] = [undefined as string | undefined, "", true];
  let metadata: Metadata | undefined;
  let error: string | undefined;
  const line = (content: string): void => {
    process.stdout.write(`${atLineStart ? "" : "\n"}${content}\n`);
    atLineStart = true;
  };
  for await (const chunk of readEvents(answer)) {
    conversationId ??= chunk.conversation_id;
    metadata ??= chunk.service_metadata;
    error ??= chunk.error?.message;
    const content = chunk.choices?.[0]?.delta.content ?? "";
    text += content;
    if (options.json) process.stdout.write(`${JSON.stringify(chunk)}\n`);
    else if (chunk.isToolMessage === true) line(card(chunk));
    else if (content !== "") {
      process.stdout.write(visible(content));
      atLineStart = content.endsWith("\n");
    }
    if (chunk.event?.type === "user_input_required") await askPerson(service, chunk.event);
  }
  if (!atLineStart && !options.json) process.stdout.write("\n");
  return { conversationId, text, metadata, error };
}
