//! Faces of cubes.

/// The face that a direction points to, and where: 0 to 1 from left to right and from top to bottom.
pub fn face(direction: [f32; 3]) -> (u32, f64, f64) {
    // The device multiplies by the reciprocal of the longest part; what is no number then is 0.
    let longest = direction.iter().fold(f32::NAN, |m, v| v.abs().max(m));
    let scaled = direction.map(|v| v * (1.0 / longest)).map(|v| if v.is_nan() { 0.0 } else { v });
    let (face, right, down, _) = axes(scaled);
    let place = |v: f32| (f64::from(v) * 0.5 + 0.5).clamp(0.0, 1.0);
    (face, place(right), place(down))
}

/// The face of a direction, and what of it lies to the right, down and across.
pub fn axes([x, y, z]: [f32; 3]) -> (u32, f32, f32, f32) {
    let [ax, ay, az] = [x.abs(), y.abs(), z.abs()];
    if az >= ax && az >= ay {
        if z < 0.0 { (5, -x, -y, az) } else { (4, x, -y, az) }
    } else if ay >= ax {
        if y < 0.0 { (3, x, -z, ay) } else { (2, x, z, ay) }
    } else if x < 0.0 {
        (1, z, -y, ax)
    } else {
        (0, -z, -y, ax)
    }
}

/// How far a place in a face moves, in parts of its sides, to the right and down.
pub struct Slope {
    /// In the face.
    pub inside: [f64; 2],
    /// Beyond its edge, on the next face.
    pub beyond: [f64; 2],
    /// It goes beyond.
    pub leaves: bool,
}

/// How far a place in a face moves when the direction does. What leaves the face goes on as if the next one were folded out beside
/// it; the face on the other side is infinitely far.
pub fn slope(direction: [f32; 3], by: [f32; 3]) -> Slope {
    let parts = |[x, y, z]: [f32; 3], face: u32| match face {
        0 => [-z, -y, x],
        1 => [z, -y, -x],
        2 => [x, z, y],
        3 => [x, -z, -y],
        4 => [x, -y, z],
        _ => [-x, -y, -z],
    };
    let (face, right, down, across) = axes(direction);
    let moved = parts(core::array::from_fn(|n| direction[n] + by[n]), face).map(f64::from);
    let [to_right, to_down, away] = moved;
    let longest = moved.iter().fold(0.0f64, |most, part| most.max(part.abs()));
    let none = Slope { inside: [0.0; 2], beyond: [0.0; 2], leaves: false };
    if longest == 0.0 {
        return none;
    }
    let [right, down] = [right, down].map(|part| f64::from(part) / f64::from(across));
    // To the edge, and from there on.
    let to_edge = |part: f64, from: f64| 1.0f64.copysign(part) * 0.5 - from * 0.5;
    let from_edge = |part: f64| (0.5 - away / longest * 0.5).copysign(part);
    match away.abs() == longest {
        true if away < 0.0 => Slope { inside: [f64::INFINITY; 2], leaves: true, ..none },
        true => Slope { inside: [(to_right / away - right) * 0.5, (to_down / away - down) * 0.5], ..none },
        false if to_right.abs() == longest => Slope {
            inside: [to_edge(to_right, right), (to_down / longest - down) * 0.5],
            beyond: [from_edge(to_right), 0.0],
            leaves: true,
        },
        false => Slope {
            inside: [(to_right / longest - right) * 0.5, to_edge(to_down, down)],
            beyond: [0.0, from_edge(to_down)],
            leaves: true,
        },
    }
}

/// A direction through a place of a face, in units in which a face goes from -1 to 1.
pub fn direction(face: u32, s: f64, t: f64) -> [f64; 3] {
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
