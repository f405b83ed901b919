//! Faces of cubes.

/// The face that a direction points to, and where: 0 to 1 from left to right and from top to bottom.
pub fn face([x, y, z]: [f32; 3]) -> (u32, f64, f64) {
    let [ax, ay, az] = [x.abs(), y.abs(), z.abs()];
    let (face, s, t, major) = if az >= ax && az >= ay {
        if z.is_sign_positive() { (4, x, -y, az) } else { (5, -x, -y, az) }
    } else if ay >= ax {
        if y.is_sign_positive() { (2, x, z, ay) } else { (3, x, -z, ay) }
    } else if x.is_sign_positive() {
        (0, -z, -y, ax)
    } else {
        (1, z, -y, ax)
    };
    // The device multiplies by the reciprocal.
    let place = |v: f32| (f64::from(v * (1.0 / major)) * 0.5 + 0.5).clamp(0.0, 1.0);
    (face, place(s), place(t))
}

/// A direction through a place of a face, in units in which a face goes from -1 to 1.
fn direction(face: u32, s: f64, t: f64) -> [f64; 3] {
    match face {
        0 => [1.0, -t, -s],
        1 => [-1.0, -t, s],
        2 => [s, 1.0, t],
        3 => [s, -1.0, -t],
        4 => [s, -t, 1.0],
        _ => [-s, -t, -1.0],
    }
}

/// The element that is beside a face's edge: face, column and row. `None` at corners, where three faces meet.
pub fn neighbour(face: u32, x: i64, y: i64, size: i64) -> Option<(u32, i64, i64)> {
    let inside = |n: i64| (0..size).contains(&n);
    if inside(x) && inside(y) {
        return Some((face, x, y));
    }
    if !inside(x) && !inside(y) {
        return None;
    }
    // The middle of the element, a little around the edge.
    let unit = |n: i64| (2 * n + 1) as f64 / size as f64 - 1.0;
    let [dx, dy, dz] = direction(face, unit(x), unit(y)).map(|v| v as f32);
    let (other, s, t) = self::face([dx, dy, dz]);
    let number = |v: f64| ((v * size as f64).floor() as i64).clamp(0, size - 1);
    Some((other, number(s), number(t)))
}
