import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [reactRouter()],
  test: {
    include: ["app/**/*.test.{ts,tsx}", "server/**/*.test.ts", "tests/**/*.test.ts", "bench/**/*.test.ts"],
    globalSetup: ["./tests/support/postgres-setup.ts"],
    css: true,
    testTimeout: 90_000,
    hookTimeout: 60_000,
    // On a machine that has much to do. What has to be quicker says so itself.
    expect: { poll: { timeout: 15_000 } },
  },
});
