import path from "node:path";
import ts from "typescript";
import { root } from "./product.ts";

/** The names that an entry of a package exports, types included. */
export function publicNames(entry: string): readonly string[] {
  const config = ts.readConfigFile(path.join(root, "tsconfig.json"), (file) => ts.sys.readFile(file));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const program = ts.createProgram([path.join(root, entry)], options);
  const source = program.getSourceFile(path.join(root, entry));
  const checker = program.getTypeChecker();
  const symbol = source && checker.getSymbolAtLocation(source);
  if (symbol === undefined) throw new Error(`${entry} exports nothing.`);
  return checker.getExportsOfModule(symbol).map(({ name }) => name);
}
