import type { Json } from "@pergola/sdk";
import type { CheckedOutput, OutputForm, OutputKeeper } from "@pergola/sdk/host";
import { jsonSchemaOf } from "./json-schema-of.ts";
import { readForm, unusable, type WantedForm } from "./read-form.ts";
import { CheckFailure, openThreads } from "./schema-threads.ts";
import { withoutFence } from "./without-fence.ts";

/** Milliseconds that a check may take, the start of its thread included. */
const usualDeadline = 10_000;

const failureOf = ({ reason }: CheckFailure): string =>
  reason === "deadline" ? "it took too long" : `it failed (${reason})`;

/** Holds answers to the schemas of their requests. */
export class Output implements OutputKeeper {
  readonly #threads: ReturnType<typeof openThreads>;

  constructor(deadline = usualDeadline) {
    this.#threads = openThreads(deadline);
  }

  async open(responseFormat: Json | undefined, signal: AbortSignal): Promise<OutputForm | undefined> {
    const wanted = readForm(responseFormat);
    if (wanted === undefined) return undefined;
    const schema = JSON.stringify(jsonSchemaOf(wanted.schema));
    if (!wanted.isAnyObject) await this.#compile(schema, signal);
    return {
      strict: wanted.strict,
      words: wordsOf(wanted),
      check: async (text, stop) => this.#check(schema, withoutFence(text), stop),
      objection: (faults) => objectionTo(wanted, faults),
    };
  }

  async stop(): Promise<void> {
    await this.#threads.end();
  }

  async #compile(schema: string, signal: AbortSignal): Promise<void> {
    const fault = await this.#threads.run("compile", schema, { signal }).catch((error: unknown) => {
      if (!(error instanceof CheckFailure)) throw error;
      return `to compile it was given up: ${failureOf(error)}`;
    });
    if (fault !== undefined) throw unusable(fault);
  }

  async #check(schema: string, text: string, signal: AbortSignal): Promise<CheckedOutput> {
    try {
      const faults = await this.#threads.run("check", { schema, text }, { signal });
      return { text, faults, canRepair: true };
    } catch (error) {
      if (!(error instanceof CheckFailure)) throw error;
      return { text, faults: [`the check was given up: ${failureOf(error)}`], canRepair: false };
    }
  }
}

/** Without a schema where any object will do. */
function wordsOf({ schema, isAnyObject }: WantedForm): string {
  const wanted = isAnyObject ? "one JSON object" : "JSON that follows the schema below";
  const sentence = `Your final answer must be ${wanted} and nothing else: no code fence, no words around it.`;
  return [sentence, ...(isAnyObject ? [] : [JSON.stringify(schema)])].join("\n");
}

function objectionTo({ schema, isAnyObject }: WantedForm, faults: readonly string[]): string {
  const wanted = isAnyObject ? "one JSON object" : "JSON that follows the schema below";
  const lines = [
    "Your last answer does not have the form that was asked for:",
    ...faults.map((fault) => `- ${fault}`),
    `Answer again with ${wanted} and nothing else: no code fence, no words around it.`,
  ];
  return [...lines, ...(isAnyObject ? [] : [JSON.stringify(schema)])].join("\n");
}
