import { type ComponentChildren, createContext } from "preact";
import { useCallback, useContext, useEffect, useState } from "preact/hooks";
import { call, messageOf, referenceOf } from "../link/api.ts";
import { say } from "./announce.ts";

/** Reads for each `key`, and again while `waits` gives milliseconds until then; late answers are left out. */
export function useRead<T>(read: () => Promise<T>, key: string, waits?: (value: T) => number) {
  const [state, setState] = useState<{ value?: T; error?: unknown }>({});
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isOld = false;
    const keep = (next: typeof state): void => void (isOld || setState(next));
    read().then(
      (value) => keep({ value }),
      // What was read last stays.
      (error: unknown) => keep({ ...state, error }),
    );
    return () => ((isOld = true), undefined);
  }, [key, round]);
  const again = useCallback(() => setRound((before) => before + 1), []);
  useEffect(() => {
    const { value, error } = state;
    const wait = value === undefined || error !== undefined ? 0 : waits?.(value);
    const timer = wait ? setTimeout(again, wait) : undefined;
    return () => clearTimeout(timer);
  }, [state]);
  return { ...state, again };
}

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

/** A line that is said, too, as often as it changes. */
export function StatusLine({ text }: { readonly text: string }) {
  useEffect(() => say(text), [text]);
  return <p class="faint">{text}</p>;
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
export const Loading = () => <p class="blocks" children={<span class="hidden">Loading</span>} />;

/** Why something could not be read, by what it can be found in the log, and the way to read it again. */
export const Failed = ({ error, retry }: Readonly<{ error: unknown; retry: () => unknown }>) => (
  <section class="notice">
    <p class="failure">{messageOf(error)}</p>
    <p class="faint">{referenceOf(error)}</p>
    <p children={<button type="button" onClick={() => void retry()} children="Try again" />} />
  </section>
);

interface FromProps<T> {
  /** What is read: the path of a route, unless `read` reads it. */
  readonly path: string;
  readonly read?: () => Promise<T>;
  /** What else it is read anew for. */
  readonly anew?: string | number | undefined;
  readonly waits?: (value: T) => number;
  readonly children: (value: T, again: () => void) => ComponentChildren;
}

/** What is read, as `children` draw it: blocks until it is there, and why it could not be read. */
export function From<T>({ path, read = () => call<T>(path), anew, waits, children }: FromProps<T>) {
  const { value, error, again } = useRead(read, `${path} ${anew}`, waits);
  return (
    <Again value={again}>
      {error !== undefined && <Failed error={error} retry={again} />}
      {value === undefined && error === undefined && <Loading />}
      {value !== undefined && children(value, again)}
    </Again>
  );
}
