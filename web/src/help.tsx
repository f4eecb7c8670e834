// The keys, and what they do.

export const KEYS: [string, string][] = [
  ["?", "this help"],
  ["/", "search in all programs"],
  ["Escape", "clear what is chosen, or close what is open"],
  ["1 … 5", "dependencies, graph, findings, proof, compare"],
  ["n, p", "next and previous line that is not covered"],
  ["e, E", "next and previous error"],
  ["j, k", "one step on and one step back in the path of an error"],
  ["[, ]", "fewer and more steps of dependencies"],
  ["d", "turn round: what is needed, what rests on it"],
  ["w", "make the panel wide, or narrow again"],
  ["f, +, -", "fit the graph, zoom in, zoom out"],
  ["t", "dark or light"],
  ["Shift + click", "path from what is chosen to what is clicked"],
];

export function Help({ close }: { close: () => void }) {
  return (
    <div class="shade" onClick={close}>
      <div class="help" role="dialog" aria-modal="true" aria-label="keys" onClick={(event) => event.stopPropagation()}>
        <h2>Keys</h2>
        <table>
          <tbody>
            {KEYS.map(([key, what]) => (
              <tr key={key}>
                <th scope="row">
                  <kbd>{key}</kbd>
                </th>
                <td>{what}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <button type="button" onClick={close} autoFocus>
          close
        </button>
      </div>
    </div>
  );
}
