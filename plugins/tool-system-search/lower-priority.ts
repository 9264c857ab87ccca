import { setPriority } from "node:os";

/**
 * Lets other work go first. Linux gives each thread a priority of its own; elsewhere this would slow the
 * whole process down.
 */
export function lowerPriority(): void {
  if (process.platform === "linux") setPriority(0, 10);
}
