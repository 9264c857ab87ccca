import { pathToFileURL } from "node:url";

/**
 * Imports a module by the path of its file. The build puts another function in its place where all code is
 * one file: code that V8 has from its compiled form cannot import.
 */
export const importFile = (file: string): Promise<unknown> => import(pathToFileURL(file).href);
