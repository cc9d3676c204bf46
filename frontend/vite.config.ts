import { gzipAsync } from "@gfx/zopfli";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
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

/** Writes a `.gz` beside every text and WebAssembly file, which the web server sends to browsers that take it. */
function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    async writeBundle({ dir = "dist" }) {
      for (const entry of readdirSync(dir, { recursive: true, encoding: "utf8" })) {
        if (!/\.(js|css|svg|wasm)$/.test(entry)) continue;
        const path = join(dir, entry);
        const content = readFileSync(path);
        // Zopfli takes seconds and saves a twentieth; on WebAssembly of ten megabytes it would take minutes.
        const packed = entry.endsWith(".js") ? await gzipAsync(content, {}) : gzipSync(content, { level: 9 });
        if (packed.length < content.length * 0.95) writeFileSync(`${path}.gz`, packed);
      }
    },
  };
}

export default defineConfig({
  // Relative, so that the bundle works below any STATIC_URL.
  base: "./",
  plugins: [woff2Only(), svelte(), compressed()],
  build: {
    manifest: "manifest.json",
    target: "es2022",
    cssCodeSplit: true,
    // No data: URLs: fonts and WebAssembly stay files, which are cached and which the content security policy covers.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    rolldownOptions: { input: "src/main.ts", checks: { pluginTimings: false } },
  },
  worker: { format: "es" },
  test: {
    include: ["tests/**/*.test.ts"],
    environment: "node",
  },
});
