import { useEffect, useState } from "preact/hooks";
import { connection, tryNow } from "../link/index.ts";
import { thread } from "../state/index.ts";
import { Button } from "./button.tsx";

const secondsTo = (time: number): number => Math.max(0, Math.ceil((time - Date.now()) / 1000));

/** Says that the service cannot be reached, and when it is tried again. */
export function ConnectionBar() {
  const state = connection.value;
  const [, setTick] = useState(0);
  useEffect(() => {
    if (state.state === "here") return undefined;
    const timer = setInterval(() => setTick((tick) => tick + 1), 1000);
    return () => clearInterval(timer);
  }, [state.state]);
  if (state.state === "here") return null;
  const isRunning = thread.value.live.value !== undefined;
  const seconds = secondsTo(state.retryAt);
  return (
    <div class="bar" role="status">
      <span>
        {state.isOffline ? "Connection lost." : "The service cannot be reached."}
        {state.isOffline && isRunning && " The run goes on."}
        {seconds > 0 && ` Next try in ${seconds} s.`}
      </span>
      <Button look="quiet" press={tryNow}>
        Try now
      </Button>
    </div>
  );
}
