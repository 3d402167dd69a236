/** What moves longer than an eye can see, or plays; for a page to evaluate. */
export function movingParts(): string[] {
  const animations = document.getAnimations().filter(({ playState, effect }) => {
    const { activeDuration, endTime } = effect?.getComputedTiming() ?? {};
    return playState === "running" && Math.max(Number(activeDuration), Number(endTime)) > 10;
  });
  const names = animations.map(({ effect }) => (effect as KeyframeEffect).target?.outerHTML.slice(0, 120) ?? "");
  const videos = [...document.querySelectorAll("video")]
    .filter(({ paused }) => !paused)
    .map(({ outerHTML }) => outerHTML.slice(0, 120));
  return [...names, ...videos];
}
