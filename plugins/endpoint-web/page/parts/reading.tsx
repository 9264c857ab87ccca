import { type ComponentChildren, createContext } from "preact";
import { useCallback, useContext, useEffect, useState } from "preact/hooks";
import { call, messageOf } from "../link/api.ts";
import { say } from "./announce.ts";

/** What a view reads when it is opened. */
export type Read<T> = Readonly<{ value: T | undefined; failure: string; again: () => void }>;

/**
 * Reads once for each `key`, and again while `waits` gives the milliseconds until then; an answer that comes
 * after a newer question is thrown away.
 */
export function useRead<T>(read: () => Promise<T>, key: string, waits?: (value: T) => number): Read<T> {
  const [state, setState] = useState<{ value?: T; failure: string }>({ failure: "" });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isOld = false;
    const keep = (next: { value?: T; failure: string }): void => void (isOld || setState(next));
    read().then(
      (value) => keep({ value, failure: "" }),
      (error: unknown) => keep({ failure: messageOf(error) }),
    );
    return () => ((isOld = true), undefined);
  }, [key, round]);
  const again = useCallback(() => setRound((before) => before + 1), []);
  useEffect(() => {
    const wait = state.value === undefined ? 0 : waits?.(state.value);
    const timer = wait ? setTimeout(again, wait) : undefined;
    return () => clearTimeout(timer);
  }, [state]);
  return { value: state.value, failure: state.failure, again };
}

/** Reads anew what is shown around here. */
export const Again = createContext(() => undefined as void);

/** Does what a person asks for, and reads anew what is shown around it. What fails is shown, and said. */
export function useAct() {
  const again = useContext(Again);
  const [failure, setFailure] = useState("");
  const act = async (work: () => Promise<unknown>, done = ""): Promise<void> => {
    try {
      await work();
      again();
      setFailure("");
      if (done !== "") say(done);
    } catch (error) {
      setFailure(messageOf(error));
      say(messageOf(error), true);
    }
  };
  return { failure, act };
}

/** The time, anew on every second while that is wanted: the only timer of an open page. */
export function useNow(isWanted: boolean): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = isWanted && setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer || undefined);
  }, [isWanted]);
  return now;
}

/** Nothing at first, then grey blocks: most answers are there before. */
export const Loading = () => (
  <p class="blocks" role="status" children={<span class="hidden">Loading</span>} />
);

export const Failed = ({ message, retry }: { readonly message: string; readonly retry: () => unknown }) => (
  <p class="failure">
    {message} <button type="button" class="quiet" onClick={() => void retry()} children="Try again" />
  </p>
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
