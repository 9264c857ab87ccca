import { isObject } from "@pergola/sdk";

/** A part of a message's content, or of a tool's result. */
export type Part = Readonly<Record<string, unknown>>;

const places = ["content", "output", "source"] as const;

const hasPart = (value: unknown, is: (part: Part) => boolean): boolean => {
  if (Array.isArray(value)) return value.some((one) => hasPart(one, is));
  return isObject(value) && (is(value) || places.some((place) => hasPart(value[place], is)));
};

/**
 * The same messages with every part that `is` one replaced, wherever content stands. Messages without such
 * parts are handed back as they are.
 */
export async function replaceParts<T>(
  messages: T,
  is: (part: Part) => boolean,
  replace: (part: Part) => Promise<Part>,
): Promise<T> {
  if (!hasPart(messages, is)) return messages;
  const walk = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(walk));
    if (!isObject(value)) return value;
    if (is(value)) return replace(value);
    const inner = places.filter((place) => value[place] !== undefined);
    const walked = await Promise.all(inner.map(async (place) => [place, await walk(value[place])] as const));
    return { ...value, ...Object.fromEntries(walked) };
  };
  return (await walk(messages)) as T;
}
