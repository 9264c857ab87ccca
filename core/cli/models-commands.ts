import type { Command } from "commander";
import { clientCommand, onService, wholeNumber } from "./define-command.ts";

const download = `
Without a file name, it chooses one quantization (Q4_K_M or the nearest) with all its parts. Ctrl-C keeps
what has been downloaded; run the same command again to continue.
  $ pergola models search qwen 7b instruct
  $ pergola models download owner/name-GGUF
  $ pergola models download owner/name-GGUF name-Q8_0.gguf`;

/** Defines `pergola models …`. */
export function addModels(models: Command): void {
  const load = () => import("./models.ts");
  clientCommand(models, "list", "list the models, and those being downloaded").action(
    onService(load, "listModels"),
  );
  clientCommand(models, "search [words...]", "search the source of models (downloads.base_url)")
    .option("--limit <number>", "show at most this many (20)", wholeNumber)
    .action(onService(load, "searchModels"));
  clientCommand(
    models,
    "download <repository> [file]",
    "download a model: owner/name, or the address of a file",
  )
    .option("--revision <name>", "branch, tag or commit (main)")
    .option("--sha256 <digest>", "the expected digest of the file")
    .option("--keep-partial", "keep the partial file when the disk is full")
    .addHelpText("after", download)
    .action(onService(load, "downloadModel"));
  clientCommand(
    models,
    "remove <id>",
    "remove an installed model and its files, or an unfinished download",
  ).action(onService(load, "removeModel"));
}
