import { readdirSync, readFileSync } from "node:fs";

import type { Reporter, TestModule } from "vitest/node";

const shownFiles = 10;

type Sample = { cpuSeconds: number; at: number };
type ProjectSummary = { name: string; tests: number; files: number; from: Sample; to: Sample };

/**
 * Prints the files that took longest at the end of a run, and a line per project: its tests, the processor time of all processes that
 * ran them (user and system), and the wall time. Projects run one after another (see vitest.config.ts).
 */
export function runSummary(): Reporter {
  const projects = new Map<string, ProjectSummary>();
  return {
    onTestModuleStart({ project: { name } }) {
      const now = takeSample();
      if (!projects.has(name)) projects.set(name, { name, tests: 0, files: 0, from: now, to: now });
    },
    onTestModuleEnd(module) {
      const summary = projects.get(module.project.name);
      if (!summary) return;
      summary.files += 1;
      summary.tests += [...module.children.allTests()].length;
      summary.to = takeSample();
    },
    onTestRunEnd(modules) {
      if (modules.length > shownFiles) printSlowest(modules);
      printRepeated(modules);
      process.stdout.write(`\n${[...projects.values()].map(describeProject).join("\n")}\n`);
    },
  };
}

function describeProject({ name, tests, files, from, to }: ProjectSummary): string {
  const cpu = Number.isNaN(to.cpuSeconds) ? "unknown" : `${Math.round(to.cpuSeconds - from.cpuSeconds)} s`;
  const wall = `${Math.round((to.at - from.at) / 1000)} s`;
  return `${name}: ${tests} tests in ${files} files, processor time ${cpu}, wall time ${wall}`;
}

function printSlowest(modules: readonly TestModule[]) {
  const slowest = modules.map(timeOf).toSorted((a, b) => b.total - a.total);
  const lines = slowest.slice(0, shownFiles).map(({ file, total, imports }) => {
    return `  ${seconds(total)}  ${file} (imports ${seconds(imports).trim()})`;
  });
  process.stdout.write(`\nSlowest files:\n${lines.join("\n")}\n`);
}

/** Tests that failed at first, so that nobody overlooks them. */
function printRepeated(modules: readonly TestModule[]) {
  const tests = modules.flatMap((module) => [...module.children.allTests()].filter((test) => test.diagnostic()?.flaky));
  const lines = tests.map((test) => `  ${test.module.relativeModuleId} > ${test.fullName}`);
  if (lines.length > 0) process.stdout.write(`\nPassed only when repeated:\n${lines.join("\n")}\n`);
}

function timeOf(module: TestModule) {
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  return { file: module.relativeModuleId, total: duration + collectDuration + setupDuration, imports: collectDuration };
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`.padStart(7);
}

function takeSample(): Sample {
  return { cpuSeconds: treeCpuSeconds(process.pid), at: Date.now() };
}

/** The processor time so far of a process, its descendants, and those of them that have ended; NaN where there is no /proc. */
function treeCpuSeconds(root: number): number {
  const processes = listProcesses();
  if (processes.length === 0) return Number.NaN;
  const tree = new Set([root]);
  // A child may have a lower number than its parent.
  for (let size = 0; size < tree.size;) {
    size = tree.size;
    for (const { pid, parent } of processes) if (tree.has(parent)) tree.add(pid);
  }
  const inTree = processes.filter(({ pid }) => tree.has(pid));
  return inTree.reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond;
}

/** USER_HZ, which Linux has fixed at 100 for its interfaces. */
const ticksPerSecond = 100;

function listProcesses() {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap(readProcess);
  } catch {
    return [];
  }
}

/** Fields of /proc/<pid>/stat, proc(5): 4 is the parent; 14 to 17 are user and system time, its own and of its ended children. */
function readProcess(pid: string) {
  try {
    const [, fields = ""] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    const [, parent, ...others] = fields.split(" ").map(Number);
    return [
      { pid: Number(pid), parent: parent ?? 0, ticks: others.slice(9, 13).reduce((sum, ticks) => sum + ticks, 0) },
    ];
  } catch {
    // It has ended since it was listed.
    return [];
  }
}
