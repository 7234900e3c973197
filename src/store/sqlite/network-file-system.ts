// Tells network file systems from local ones. SQLite's WAL needs memory shared by all its processes and locks that work, and
// over a network there is neither: databases there break silently. Linux only; elsewhere the magic number means nothing.

/**
 * The name of the network file system that `path` lies on, or null. `magic` is the type that statfs gives, `mountinfo` reads
 * /proc/self/mountinfo, which is needed only because every FUSE file system has the same magic number.
 */
export function networkFileSystem(magic: number, mountinfo: () => string, path: string): string | null {
  const known = networkMagic.get(magic >>> 0);
  if (known) return known;
  if (magic >>> 0 !== fuseMagic) return null;
  const type = mountedType(mountinfo(), path);
  return type && networkFuse.test(type) ? type : null;
}

const fuseMagic = 0x65735546;

/** From linux/magic.h and the file systems' own sources. */
const networkMagic: ReadonlyMap<number, string> = new Map([
  [0x6969, 'nfs'],
  [0x517b, 'smb'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb2'],
  [0x01021997, '9p'],
  [0x5346414f, 'afs'],
  [0x6b414653, 'kafs'],
  [0x73757245, 'coda'],
  [0x564c, 'ncp'],
  [0x00c36400, 'ceph'],
  [0x0bd00bd0, 'lustre'],
  [0x47504653, 'gpfs'],
  [0x01161970, 'gfs2'],
  [0x7461636f, 'ocfs2'],
  [0x786f4256, 'vboxsf'],
  [0xbacbacbc, 'vmhgfs'],
]);

const networkFuse =
  /^fuse\.(sshfs|s3fs|rclone|gcsfuse|glusterfs|ceph|davfs|juicefs|curlftpfs|goofys|blobfuse2?|smbnetfs|mount-s3|vmhgfs)/;

/** The type of the innermost mount around `path`; of two on the same point, the later one covers the earlier. */
function mountedType(mountinfo: string, path: string): string | null {
  let best: { readonly point: string; readonly type: string } | null = null;
  for (const line of mountinfo.split('\n')) {
    const [mount, source] = line.split(' - ');
    const point = mount
      ?.split(' ')[4]
      ?.replace(/\\(\d{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)));
    const type = source?.split(' ')[0];
    if (!point || !type) continue;
    const around = point === '/' || path === point || path.startsWith(`${point}/`);
    if (around && point.length >= (best?.point.length ?? 0)) best = { point, type };
  }
  return best?.type ?? null;
}
