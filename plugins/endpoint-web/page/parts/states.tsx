import { useEffect, useState } from "preact/hooks";
import { Button } from "./button.tsx";

/** Nothing at first, then grey blocks: most answers are there before. */
export function Loading() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150);
    return () => clearTimeout(timer);
  }, []);
  if (!isLate) return null;
  return (
    <div class="blocks" role="status">
      <span class="hidden">Loading</span>
      <div />
      <div />
      <div />
    </div>
  );
}

export function Failed({ message, retry }: { readonly message: string; readonly retry: () => void }) {
  return (
    <div class="failed">
      <p class="failure">{message}</p>
      <Button press={retry}>Try again</Button>
    </div>
  );
}
