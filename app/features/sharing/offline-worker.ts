/**
 * Has the browser keep the page that works without network, once there is nothing better to do. Where workers or storage are
 * denied there is no such page, and nothing else is lost.
 */
export function keepOfflinePage() {
  const later = globalThis.requestIdleCallback ?? setTimeout;
  later(() => void navigator.serviceWorker?.register("/sw.js").then(Boolean, Boolean));
}
