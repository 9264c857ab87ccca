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
  readonly #kept = new Map<string, string>();
  #size = 0;

  keepForCall(id: string, signature: string): void {
    this.#keep(`call ${id}`, signature);
  }

  keepForText(text: string, signature: string): void {
    if (text.trim() !== "") this.#keep(`text ${digest(text)}`, signature);
  }

  ofCall(id: string): string | undefined {
    return this.#kept.get(`call ${id}`);
  }

  ofText(text: string): string | undefined {
    return this.#kept.size === 0 ? undefined : this.#kept.get(`text ${digest(text)}`);
  }

  #keep(key: string, signature: string): void {
    this.#drop(key);
    this.#kept.set(key, signature);
    this.#size += signature.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= limit) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#size -= this.#kept.get(key)?.length ?? 0;
    this.#kept.delete(key);
  }
}
