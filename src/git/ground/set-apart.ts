// Files and folders of the workspace that never count as work, by their paths from the top of the repository.

/** @param prefix the workspace below the top @param names from the root of the workspace, with slashes */
export function setApart(prefix: string, names: readonly string[]): (path: Buffer) => boolean {
  const places = names.map((name) => Buffer.from(prefix === '' ? name : `${prefix}/${name}`));
  return (path) =>
    places.some((place) => {
      const isBelow = path.length === place.length || path[place.length] === 0x2f;
      return isBelow && path.subarray(0, place.length).equals(place);
    });
}
