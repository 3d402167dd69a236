import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "app",
  buildDirectory: "build",
  // One file per entry of the server's build, see vite.config.ts.
  serverBuildFile: "[name].js",
  ssr: true,
  // No manifest requests: the route table is small, and a page asks for what it needs once.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
