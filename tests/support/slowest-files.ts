import type { Reporter, TestModule } from "vitest/node";

const shownFiles = 10;

/** Prints the files that took longest at the end of a run, with the time their imports took. */
export function slowestFiles(): Reporter {
  return {
    onTestRunEnd(modules) {
      if (modules.length <= shownFiles) return;
      const slowest = modules.map(timeOf).toSorted((a, b) => b.total - a.total);
      const lines = slowest.slice(0, shownFiles).map(({ file, total, imports }) => {
        return `  ${seconds(total)}  ${file} (imports ${seconds(imports).trim()})`;
      });
      process.stdout.write(`\nSlowest files:\n${lines.join("\n")}\n`);
    },
  };
}

function timeOf(module: TestModule) {
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  return { file: module.relativeModuleId, total: duration + collectDuration + setupDuration, imports: collectDuration };
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`.padStart(7);
}
