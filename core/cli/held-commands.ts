import type { Command } from "commander";
import { clientCommand, onService } from "./define-command.ts";

const example = `
  $ pergola held list
  $ pergola held restore held_0123456789abcdef0123456789abcdef`;

/** Defines `pergola held …`. */
export function addHeld(held: Command): void {
  const load = () => import("./held.ts");
  held.addHelpText("after", example);
  clientCommand(held, "list", "list them, and which call's programs ran when they appeared").action(
    onService(load, "listHeld"),
  );
  clientCommand(held, "restore <id>", "put one back where it appeared").action(
    onService(load, "restoreHeld"),
  );
  clientCommand(held, "remove <id>", "throw one away").action(onService(load, "removeHeld"));
}
