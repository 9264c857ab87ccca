import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["**/dist/**", "**/node_modules/**", "**/*.js", "**/*.mjs", "**/*.cjs"] },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/require-await": "off",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/prefer-promise-reject-errors": "off",
      "@typescript-eslint/only-throw-error": "error",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true },
      ],
      complexity: ["error", 12],
      "max-depth": ["error", 3],
      "max-params": ["error", 4],
      "max-lines": ["error", 300],
      "max-len": ["error", { code: 110, ignoreRegExpLiterals: true, ignoreUrls: true }],
      "no-nested-ternary": "error",
      "no-else-return": "error",
      "prefer-const": "error",
      eqeqeq: "error",
    },
  },
  {
    files: ["**/*.test.ts", "**/test/**", "test/**", "sdk/testing/**"],
    rules: {
      "@typescript-eslint/no-unused-expressions": "off",
      "max-lines": "off",
      "max-len": [
        "error",
        {
          code: 110,
          ignoreRegExpLiterals: true,
          ignoreUrls: true,
          ignoreStrings: true,
          ignoreTemplateLiterals: true,
        },
      ],
    },
  },
);
