import type { JsonObject } from "@pergola/sdk";

/** What a server wants to know from the person: a message and a flat schema of plain fields. */
export interface Inquiry {
  readonly mode?: string;
  readonly message: string;
  readonly requestedSchema?: {
    readonly properties?: Readonly<Record<string, JsonObject>>;
    readonly required?: readonly string[];
  };
}

export interface InquiryAnswer {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Record<string, string | number | boolean | string[]>;
}
