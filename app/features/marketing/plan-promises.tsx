/** What somebody wants to know before they choose, in three sentences that the product keeps. */
export function PlanPromises() {
  return (
    <ul className="mx-auto mt-10 grid max-w-[960px] gap-x-10 gap-y-6 border-t border-line pt-8 md:grid-cols-3">
      {promises.map(({ title, text }) => (
        <li key={title}>
          <p className="font-semibold">{title}</p>
          <p className="mt-1 text-sm text-muted">{text}</p>
        </li>
      ))}
    </ul>
  );
}

const promises = [
  {
    title: "Going back deletes nothing",
    text: "After Premium your oldest card stays public. The others are kept, and paused.",
  },
  {
    title: "Counted from the first day",
    text: "Visits, clicks and saves are counted on either plan, so nothing is missing later.",
  },
  {
    title: "Open source",
    text: "The whole program is under the MIT licence. Whoever likes runs it on a server of their own.",
  },
];
