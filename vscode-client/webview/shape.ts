/** Elements of pictures. */

/** An element of a picture. */
export function shape(name: string, attributes: Readonly<Record<string, string | number>>, text?: string): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}
