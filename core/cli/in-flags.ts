import { AppError } from "@pergola/sdk";
import { fault } from "../fault.ts";

/** Names the flags in a refusal, where the service names the fields of the request. */
export function inFlags<T>(flags: Readonly<Record<string, string>>, answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    if (!AppError.is(error)) throw error;
    const { code, message, cause } = error;
    const words = message.replace(/^(\w+)(\[\d+\])?(?=:? )/, (field, name: string) => flags[name] ?? field);
    throw fault(code, words, { cause });
  });
}
