/** The shape of what is still loading: give it the size of what will stand there. It says nothing; a status or a title does. */
export function Skeleton({ className = "h-5 w-full" }: { className?: string }) {
  return (
    <div
      aria-hidden="true"
      className={`animate-breathe rounded-control bg-higher motion-reduce:animate-none forced-colors:border ${className}`}
    />
  );
}
