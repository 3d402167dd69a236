/** Loaded into the program under measurement (`node --import`): reports its longest block between "begin" and "end". */
type Sample = { wall: number; cpu: number };

/** In milliseconds: the longest block by the clock and by the main thread's CPU time, and all CPU time of the process. */
export type ProbeReport = { longestWall: number; longestCpu: number; mainCpu: number; allCpu: number };

const now = (): Sample => ({ wall: performance.now(), cpu: inMs(process.threadCpuUsage()) });
const inMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000;

let longest: Sample = { wall: 0, cpu: 0 };
let began = { main: 0, all: 0 };
let last = now();

/** A timer of a millisecond that is late by as much as the event loop was blocked. */
function tick() {
  const current = now();
  longest = {
    wall: Math.max(longest.wall, current.wall - last.wall),
    cpu: Math.max(longest.cpu, current.cpu - last.cpu),
  };
  last = current;
}

process.on("message", (message) => {
  tick();
  if (message === "begin") {
    longest = { wall: 0, cpu: 0 };
    began = { main: last.cpu, all: inMs(process.cpuUsage()) };
    return;
  }
  const report: ProbeReport = {
    longestWall: longest.wall,
    longestCpu: longest.cpu,
    mainCpu: last.cpu - began.main,
    allCpu: inMs(process.cpuUsage()) - began.all,
  };
  process.send?.(report);
});
process.channel?.unref();
setInterval(tick, 1).unref();
