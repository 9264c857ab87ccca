import { lost, tryNow } from "../link/index.ts";
import { thread } from "../state/index.ts";
import { Button } from "./button.tsx";
import { useNow } from "./use-read.tsx";

/** Says that the service cannot be reached, and when it is tried again. */
export function ConnectionBar() {
  const state = lost.value;
  useNow(state !== undefined);
  if (state === undefined) return null;
  const isRunning = thread.value.live.value !== undefined;
  const seconds = Math.max(0, Math.ceil((state.retryAt - Date.now()) / 1000));
  return (
    <div class="bar" role="status">
      <span>
        {state.isOffline ? "Connection lost." : "The service cannot be reached."}
        {state.isOffline && isRunning && " The run goes on."}
        {seconds > 0 && ` Next try in ${seconds} s.`}
      </span>
      <Button look="quiet" press={tryNow} label="Try now" />
    </div>
  );
}
