import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** Every browser that runs these scripts reads WOFF2, so the other formats that KaTeX names are not bundled. */
function woff2Only(): Plugin {
  return {
    name: "woff2-only",
    enforce: "pre",
    transform(code, id) {
      if (!id.includes("katex") || !id.includes(".css")) return undefined;
      return code.replace(/,\s*url\([^)]+\)\s*format\("(?:woff|truetype)"\)/g, "");
    },
  };
}

export default defineConfig({
  // Relative, so that the bundle works below any STATIC_URL.
  base: "./",
  plugins: [woff2Only(), svelte()],
  build: {
    manifest: "manifest.json",
    target: "es2022",
    cssCodeSplit: true,
    // No data: URLs: fonts and WebAssembly stay files, which are cached and which the content security policy covers.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    rollupOptions: { input: "src/main.ts" },
  },
  worker: { format: "es" },
  test: {
    include: ["tests/**/*.test.ts"],
    environment: "node",
  },
});
