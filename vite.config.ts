import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  environments: {
    // The whole process is built as one graph, so that no module exists twice.
    ssr: { build: { rollupOptions: { input: "./server/main.ts" } } },
  },
  build: { assetsInlineLimit: 0, sourcemap: false },
});
