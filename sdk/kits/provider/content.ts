import type { ChatMessage, ContentPart } from "@pergola/sdk";

type Content = ChatMessage["content"];

/** Replaces an image that a vendor does not take. */
export const imageLeftOut = "[an image was left out]";

/** Tells a model that reads only text of an image. */
export const unreadableImage = "[a picture that the model cannot see]";

/** Replaces the result of a tool that gave no text. */
export const noOutput = "(no output)";

/** Replaces the result of a call that was never answered. */
export const noResult = "No result of this call is known.";

/** Replaces a result for vendors that refuse one whose call is missing. */
export const unpairedResultTitle = ({ name }: ChatMessage): string => `Result of ${name ?? "a tool"}:`;

/** A message's content as parts; a plain text is one part. */
export function partsOf(content: Content): readonly ContentPart[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content ?? [];
}

/** The parts without texts that are only white space, which many vendors refuse. */
export const nonEmptyParts = (content: Content): readonly ContentPart[] =>
  partsOf(content).filter((part) => part.type !== "text" || part.text.trim() !== "");

/** The texts of a message, one per line. `image` stands for each image; by default images are skipped. */
export function contentText(content: Content, image?: string): string {
  const texts = partsOf(content).map((part) => (part.type === "text" ? part.text : image));
  return texts.filter((text) => text !== undefined).join("\n");
}

/** True if the message holds an image. */
export const hasImage = ({ content }: ChatMessage): boolean =>
  partsOf(content).some(({ type }) => type === "image_url");
