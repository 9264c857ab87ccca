/** File name endings by what people call such files. */
export const endings: Readonly<Record<string, string>> = {
  typescript: ".ts", javascript: ".js", python: ".py", markdown: ".md", json: ".json", yaml: ".yaml", yml: ".yml", toml: ".toml", csv: ".csv",
  html: ".html", css: ".css", scss: ".scss", rust: ".rs", java: ".java", ruby: ".rb", php: ".php", sql: ".sql", xml: ".xml", pdf: ".pdf",
  png: ".png", jpeg: ".jpeg", jpg: ".jpg", svg: ".svg", gif: ".gif", log: ".log", text: ".txt", txt: ".txt", swift: ".swift", kotlin: ".kt",
  c: ".c", "c++": ".cpp", cpp: ".cpp", go: ".go", shell: ".sh", bash: ".sh", lua: ".lua", word: ".docx", excel: ".xlsx", vue: ".vue", tsx: ".tsx", jsx: ".jsx",
};
