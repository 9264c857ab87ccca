import { createHash } from "node:crypto";

/** Characters kept in all; one signature has between a hundred and some ten thousand. */
const limit = 16 * 1024 * 1024;

const digest = (text: string): string => createHash("sha256").update(text.trim()).digest("base64url");

/**
 * The signatures by which Gemini finds its thoughts again, by tool call id or by the text of the answer that
 * they came with. They stand in no message, so they are kept here, the newest of them, until the service
 * stops.
 */
export class ThoughtSignatures {
  readonly #signatures = new Map<string, string>();
  #size = 0;

  addForCall(id: string, signature: string): void {
    this.#add(`call ${id}`, signature);
  }

  addForText(text: string, signature: string): void {
    if (text.trim() !== "") this.#add(`text ${digest(text)}`, signature);
  }

  ofCall(id: string): string | undefined {
    return this.#signatures.get(`call ${id}`);
  }

  ofText(text: string): string | undefined {
    if (this.#signatures.size === 0) return undefined;
    return this.#signatures.get(`text ${digest(text)}`);
  }

  #add(key: string, signature: string): void {
    this.#remove(key);
    this.#signatures.set(key, signature);
    this.#size += signature.length;
    for (const oldest of this.#signatures.keys()) {
      if (this.#size <= limit) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#size -= this.#signatures.get(key)?.length ?? 0;
    this.#signatures.delete(key);
  }
}
