import type { ComponentChildren } from "preact";
import { call } from "../link/api.ts";
import { Line } from "./lists.tsx";
import { Again, type Read, useRead } from "./use-read.tsx";

/** Nothing at first, then grey blocks: most answers are there before. */
export const Loading = () => (
  <p class="blocks" role="status" children={<span class="hidden">Loading</span>} />
);

export const Failed = ({ message, retry }: { readonly message: string; readonly retry: () => unknown }) => (
  <ul class="lines">
    <Line name="" fault={message} actions={[{ label: "Try again", act: async () => retry() }]} />
  </ul>
);

type ReadingProps<T> = Readonly<{ read: Read<T>; children: (value: T) => ComponentChildren }>;

/** What is read: blocks while it comes, why it did not, else what `children` make of it. */
export function Reading<T>({ read: { value, failure, again }, children }: ReadingProps<T>) {
  if (failure !== "") return <Failed message={failure} retry={again} />;
  return value === undefined ? <Loading /> : <Again value={again}>{children(value)}</Again>;
}

type Draw<T> = (value: T, again: () => void) => ComponentChildren;
type FromProps<T> = Readonly<{ path: string; waits?: (value: T) => number; children: Draw<T> }>;

/** What one route answers, read again as `useRead` does. */
export function From<T>({ path, waits, children }: FromProps<T>) {
  const read = useRead(() => call<T>(path), path, waits);
  return <Reading read={read}>{(value) => children(value, read.again)}</Reading>;
}
